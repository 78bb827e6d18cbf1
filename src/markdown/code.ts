// How shown code is coloured, in Markdown and in components alike.
import { bundledThemes, type ThemeRegistration } from "shiki";

const { default: githubLight } = await bundledThemes["github-light-high-contrast"]();

/** GitHub's theme with comments a little darker, so that they reach 4.5:1 on our surface. */
const light: ThemeRegistration = JSON.parse(
  JSON.stringify(githubLight).replaceAll(/#66707b/gi, "#57606a"),
);

export const codeThemes = { light, dark: "github-dark-high-contrast" } as const;
