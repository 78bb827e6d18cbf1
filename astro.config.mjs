// The site's build: Markdown for two languages, islands in Preact, our own fonts.
import { unified } from "@astrojs/markdown-remark";
import mdx from "@astrojs/mdx";
import preact from "@astrojs/preact";
import { defineConfig, fontProviders } from "astro/config";
import remarkCjkFriendly from "remark-cjk-friendly";
import { codeThemes } from "./src/markdown/code.ts";
import { remarkHeadingIds } from "./src/markdown/heading-ids.ts";
import { rehypePhrases } from "./src/markdown/phrases.ts";
import { rehypeTables } from "./src/markdown/tables.ts";

const gothic = ["Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", "Yu Gothic UI", "Meiryo"];
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** One Latin subset of a variable face, from its npm package. */
const face = (name, cssVariable, file, weight, fallbacks, italic) => ({
  provider: fontProviders.local(),
  name,
  cssVariable,
  fallbacks,
  display: "swap",
  options: {
    variants: [
      { src: [`@fontsource-variable/${file}-normal.woff2`], weight, style: "normal" },
      ...(italic
        ? [{ src: [`@fontsource-variable/${file}-italic.woff2`], weight, style: "italic" }]
        : []),
    ],
  },
});

export default defineConfig({
  // Set for a public host: `SITE=https://example.org BASE=/shikumi npm run build`.
  site: process.env.SITE,
  base: process.env.BASE ?? "/",
  trailingSlash: "always",
  integrations: [mdx(), preact()],
  devToolbar: { enabled: false },
  server: { headers: isolation },
  fonts: [
    face("Newsreader", "--font-heading", "newsreader/files/newsreader-latin-wght", "200 800", [
      "Georgia",
      "serif",
    ]),
    face(
      "Source Sans 3",
      "--font-latin",
      "source-sans-3/files/source-sans-3-latin-wght",
      "200 900",
      [...gothic, "sans-serif"],
      true,
    ),
    face(
      "JetBrains Mono",
      "--font-code",
      "jetbrains-mono/files/jetbrains-mono-latin-wght",
      "100 800",
      ["Shikumi Mono JP", "monospace"],
    ),
  ],
  markdown: {
    processor: unified({
      remarkPlugins: [remarkCjkFriendly, remarkHeadingIds],
      rehypePlugins: [rehypePhrases, rehypeTables],
      smartypants: false,
    }),
    shikiConfig: {
      themes: codeThemes,
      defaultColor: "light-dark()",
    },
  },
  vite: {
    build: {
      rolldownOptions: {
        onLog(level, log, handler) {
          if (log.code !== "MODULE_LEVEL_DIRECTIVE") handler(level, log);
        },
      },
    },
  },
});
