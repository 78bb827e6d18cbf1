/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    /** Language of the page; `/[lang]/` sets it, components of lessons read it. */
    lang: import("./site.ts").Lang;
  }
}

/** For tools that read TypeScript alone; `astro check` sees the real types. */
declare module "*.astro" {
  const Component: (props: Record<string, unknown>) => unknown;
  export default Component;
}
