/** Rule sets of textlint, which come without types of their own. */
declare module "textlint-rule-preset-ja-spacing" {
  import type { TextlintRuleModule, TextlintRuleOptions } from "@textlint/types";

  const preset: {
    rules: Record<string, TextlintRuleModule>;
    rulesConfig: Record<string, boolean | TextlintRuleOptions>;
  };
  export default preset;
}
declare module "textlint-rule-preset-ja-technical-writing" {
  export { default } from "textlint-rule-preset-ja-spacing";
}
declare module "textlint-rule-prh" {
  import type { TextlintRuleModule } from "@textlint/types";

  const rule: TextlintRuleModule | { default: TextlintRuleModule };
  export default rule;
}
