/**
 * What can be wrong with a YAML text: a code for the site to translate, the
 * place, and the English that kubectl prints.
 * Models:     go.yaml.in/yaml/v2, as sigs.k8s.io/yaml uses it
 */

export type YamlErrorCode =
  | "tab"
  | "tabInText"
  | "tabInBlock"
  | "badCharacter"
  | "controlCharacter"
  | "mappingValues"
  | "expectedKey"
  | "expectedDash"
  | "misplacedDash"
  | "expectedColon"
  | "expectedFlowEnd"
  | "unclosedQuote"
  | "unknownEscape"
  | "badBlockHeader"
  | "duplicateKey"
  | "unsupportedKey"
  | "unknownAnchor"
  | "recursiveAnchor"
  | "excessiveAliasing"
  | "badMerge"
  | "badTag"
  | "notANumber"
  | "badSeparator"
  | "tooDeep";

/** Who complains upstream: it decides which line the text names. */
type Stage = "scanner" | "parser" | "decoder" | "none";

const texts: Readonly<Record<YamlErrorCode, readonly [Stage, string]>> = {
  tab: ["scanner", "found character that cannot start any token"],
  tabInText: ["scanner", "found a tab character that violates indentation"],
  tabInBlock: [
    "scanner",
    "found a tab character where an indentation space is expected",
  ],
  badCharacter: ["scanner", "found character that cannot start any token"],
  controlCharacter: ["none", "control characters are not allowed"],
  mappingValues: ["scanner", "mapping values are not allowed in this context"],
  expectedKey: ["parser", "did not find expected key"],
  expectedDash: ["parser", "did not find expected '-' indicator"],
  misplacedDash: [
    "scanner",
    "block sequence entries are not allowed in this context",
  ],
  expectedColon: ["scanner", "could not find expected ':'"],
  expectedFlowEnd: ["parser", "did not find expected ',' or '{close}'"],
  unclosedQuote: ["scanner", "found unexpected end of stream"],
  unknownEscape: ["scanner", "found unknown escape character"],
  badBlockHeader: ["scanner", "did not find expected comment or line break"],
  duplicateKey: ["decoder", 'key "{key}" already set in map'],
  unsupportedKey: ["none", "unsupported map key"],
  unknownAnchor: ["none", "unknown anchor '{anchor}' referenced"],
  recursiveAnchor: ["none", "anchor '{anchor}' value contains itself"],
  excessiveAliasing: ["none", "document contains excessive aliasing"],
  badMerge: ["none", "map merge requires map or sequence of maps as the value"],
  badTag: ["none", "cannot decode !!str `{value}` as a !!{tag}"],
  notANumber: ["none", "json: unsupported value: {value}"],
  badSeparator: ["none", "invalid Yaml document separator: {text}"],
  tooDeep: ["none", "exceeded max depth of 10000"],
};

export type YamlParams = Readonly<Record<string, string>>;

/**
 * Thrown while parsing; both offsets are into the text. Upstream may notice
 * the mistake further on and name that line.
 */
export class YamlError extends Error {
  readonly code: YamlErrorCode;
  readonly offset: number;
  readonly params: YamlParams;
  readonly noticedAt: number;

  constructor(
    code: YamlErrorCode,
    offset: number,
    params: YamlParams = {},
    noticedAt = offset,
  ) {
    super(code);
    this.code = code;
    this.offset = offset;
    this.params = params;
    this.noticedAt = noticedAt;
  }
}

/**
 * The text of kubectl after "error parsing FILE: ". `line` counts from 0
 * within the document; upstream names the line before in the parser's errors.
 */
export function yamlMessage(
  code: YamlErrorCode,
  params: YamlParams,
  line: number,
): string {
  const [stage, template] = texts[code];
  const text = template.replace(
    /\{(\w+)\}/g,
    (_, name: string) => params[name] ?? "",
  );
  if (code === "badSeparator") return text;
  const prefix = "error converting YAML to JSON: yaml: ";
  if (stage === "decoder")
    return `${prefix}unmarshal errors:\n  line ${line + 1}: ${text}`;
  if (stage === "none" || line === 0) return prefix + text;
  return `${prefix}line ${stage === "scanner" ? line + 1 : line}: ${text}`;
}
