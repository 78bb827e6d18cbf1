/** A claim of two gibibytes, called `data`; a document that others may follow. */
export const CLAIM = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 2Gi } }
---
`;
