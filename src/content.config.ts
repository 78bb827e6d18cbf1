import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
import { slugOf } from "./curriculum.ts";
import { lessonSchema } from "./lib/lesson-schema.ts";

const lessons = defineCollection({
  loader: glob({
    base: process.env.SHIKUMI_CONTENT ?? "./content",
    pattern: "**/{ja,en}.mdx",
    generateId({ entry }) {
      const folder = entry.replace(/\/(ja|en)\.mdx$/, "");
      const slug = slugOf(folder);
      if (!slug)
        throw new Error(`content/${folder} is not in src/curriculum.ts. Add it or rename.`);
      return `${entry.endsWith("ja.mdx") ? "ja" : "en"}/${slug}`;
    },
  }),
  schema: lessonSchema,
});

export const collections = { lessons };
