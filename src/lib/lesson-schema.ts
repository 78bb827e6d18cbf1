import { z } from "astro/zod";

const term = z
  .string({ error: "Write terms as ids of content/glossary.yaml, e.g. [reconcile, watch]." })
  .regex(/^[a-z0-9-]+$/, "A term is its id in content/glossary.yaml, in lower case: reconcile");

/** Frontmatter of a lesson; each message says how to mend it. */
export const lessonSchema = z.strictObject({
  title: z.string({ error: 'Add a title: "From a Deployment to a running Pod".' }).min(1),
  description: z
    .string({ error: "Add a description of one or two sentences; search engines show it." })
    .min(20, "Make the description at least 20 characters long.")
    .max(200, "Keep the description under 200 characters."),
  question: z
    .string({ error: "Add the question that the lesson answers: it opens the page." })
    .min(5, "Write the question as a whole sentence."),
  minutes: z
    .int({ error: "Add minutes: a whole number, the time to read and try." })
    .positive("Make minutes at least 1."),
  needs: z.array(term).default([]),
  teaches: z.array(term).default([]),
  translatedFrom: z
    .string()
    .regex(
      /^(ja|en)@[0-9a-f]{6,64}$/,
      "translatedFrom looks like en@3f9c1e2a. `npm run i18n:status -- --stamp SLUG` sets it.",
    )
    .optional(),
});
