import { expect, it } from "vitest";
import { ObjectReader, objectsAt, type Row } from "../../../sim/src/view/index.ts";

/** A write of the Pod `name`, as entry `id`. */
const write = (id: number, type: Row["type"], name: string): Row => ({
  ...{ id, atMs: id, actor: "kube-apiserver", verb: "write", subject: name },
  ...{ target: "", causeId: 0, type },
  object: { kind: "Pod", namespace: "default", name, uid: `${name}-uid` },
});

const rows = [
  write(2, "ADDED", "a"),
  write(5, "ADDED", "b"),
  write(6, "MODIFIED", "a"),
  write(9, "DELETED", "a"),
];
const names = (objects: ReadonlyMap<string, unknown>) => [...objects.keys()];

it("shows the objects of any moment, forward and back, as one fold from the start does", () => {
  const reader = new ObjectReader();
  const moments = [0, 2, 4, 5, 8, 9, 20, 5, 5, 1, 20, 2];
  for (const id of moments) expect(reader.objectsAt(rows, id)).toEqual(objectsAt(rows, id));
  expect(names(reader.objectsAt(rows, 6))).toEqual(["Pod default/a", "Pod default/b"]);
  expect(names(reader.objectsAt(rows, 9))).toEqual(["Pod default/b"]);
});

it("begins anew with the rows of another run, and goes on as a run's rows come in", () => {
  const reader = new ObjectReader();
  reader.objectsAt(rows, 9);
  const growing = [write(3, "ADDED", "c")];
  expect(names(reader.objectsAt(growing, 20))).toEqual(["Pod default/c"]);
  growing.push(write(4, "ADDED", "d"));
  expect(names(reader.objectsAt(growing, 20))).toEqual(["Pod default/c", "Pod default/d"]);
});

it("gives each moment a map of its own", () => {
  const reader = new ObjectReader();
  const early = reader.objectsAt(rows, 2);
  reader.objectsAt(rows, 5);
  expect(names(early)).toEqual(["Pod default/a"]);
});
