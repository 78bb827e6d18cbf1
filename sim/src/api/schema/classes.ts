/**
 * PriorityClass, RuntimeClass.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/{scheduling,node}/v1/types.go @ v1.36
 */
export const classesSchema = `
PriorityClass metadata+:ObjectMeta description globalDefault:b
  preemptionPolicy*=PreemptLowerPriority value+:i
RuntimeClass metadata+:ObjectMeta handler! overhead:Overhead
  scheduling:Scheduling
Overhead podFixed:{q
Scheduling nodeSelector:{s~ tolerations:[Toleration~
`;
