/** A kind of its own, and one object of it: what the operator of the simulator keeps. */
export const WEBSITES_CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: websites.example.com
spec:
  group: example.com
  names: {kind: Website, plural: websites, singular: website}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [image, replicas]
              properties:
                image: {type: string}
                replicas: {type: integer, minimum: 0}
            status:
              type: object
              properties:
                readyReplicas: {type: integer}
`;

export const website = (name: string, replicas: number) => `apiVersion: example.com/v1
kind: Website
metadata: {name: ${name}}
spec: {image: "nginx:1.27", replicas: ${replicas}}
`;
