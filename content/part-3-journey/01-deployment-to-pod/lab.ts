/** The two labs of the lesson: the whole way once, and the way rewritten. */
import { defineLabs } from "../../../src/sandbox/lab.ts";

const manifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: nginx
          image: nginx:1.27
          ports:
            - containerPort: 80
`;

export default defineLabs([
  {
    id: "first",
    title: { en: "The whole way, once", ja: "端から端まで、一度" },
    caption: {
      en: "One POST sets everything off; every later step is a part that saw a change and acted on it.",
      ja: "1回のPOSTがすべての始まりです。その後のステップはどれも、変化を見た部品が自分で動いた結果です。",
    },
    scenario: { name: "first", nodes: 3, untilMs: 40_000 },
    manifest,
    files: [],
    seed: 7,
  },
  {
    id: "replicaset",
    title: { en: "Rewrite the ReplicaSet controller", ja: "ReplicaSetコントローラーを書き換える" },
    caption: {
      en: "The controller in the editor is the one that runs: change what it wants, and the cluster settles elsewhere.",
      ja: "エディターのコントローラーが、そのまま動きます。求めるものを変えると、クラスターは別のところに落ち着きます。",
    },
    scenario: { name: "replicaset", nodes: 3, untilMs: 40_000 },
    manifest,
    files: ["controllers/replicaset.ts"],
    seed: 7,
  },
]);
