import { runtimeContract } from "./support/contract.ts";

runtimeContract("webcontainer");
