import { runtimeContract } from "./support/contract.ts";

runtimeContract("worker");
