/**
 * What names, labels and ports may look like. Each check returns upstream's
 * complaints; none means valid.
 * Models:     apimachinery/pkg/util/validation/validation.go,
 *             api/validate/content @ v1.36
 */

const encoder = new TextEncoder();

const labelPart = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomainFormat = `${labelPart}(\\.${labelPart})*`;
const dns1035Format = "[a-z]([-a-z0-9]*[a-z0-9])?";
const nameFormat = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const valueFormat = `(${nameFormat})?`;
const envNameFormat = "[-._a-zA-Z][-._a-zA-Z0-9]*";
const configKeyFormat = "[-._a-zA-Z0-9]+";

const labelPattern = whole(labelPart);
const subdomainPattern = whole(subdomainFormat);
const dns1035Pattern = whole(dns1035Format);
const namePattern = whole(nameFormat);
const valuePattern = whole(valueFormat);
const envNamePattern = whole(envNameFormat);
const configKeyPattern = whole(configKeyFormat);

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start " +
  "and end with an alphanumeric character";
const nameExamples = ["MyName", "my.name", "123-abc"];

/** A DNS label (RFC 1123): Namespaces, containers. */
export function dns1123Label(value: string): string[] {
  const errors = tooLong(value, 63);
  if (labelPattern.test(value)) return errors;
  if (subdomainPattern.test(value)) return [...errors, "must not contain dots"];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric " +
    "characters or '-', and must start and end with an alphanumeric character";
  return [...errors, pattern(rule, labelPart, "my-name", "123-abc")];
}

/** A DNS subdomain (RFC 1123): the name of most objects. */
export function dns1123Subdomain(value: string): string[] {
  const errors = tooLong(value, 253);
  if (subdomainPattern.test(value)) return errors;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric " +
    "characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...errors, pattern(rule, subdomainFormat, "example.com")];
}

/** A DNS label (RFC 1035): Services. */
export function dns1035Label(value: string): string[] {
  const errors = tooLong(value, 63);
  if (dns1035Pattern.test(value)) return errors;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or " +
    "'-', start with an alphabetic character, and end with an alphanumeric character";
  return [...errors, pattern(rule, dns1035Format, "my-name", "abc-123")];
}

/** A label's key, an annotation's, a taint's: "example.com/name". */
export function labelKey(value: string): string[] {
  if (value.length <= 63 && namePattern.test(value)) return [];
  const parts = value.split("/");
  const [first = "", second] = parts;
  if (parts.length > 2) {
    const rule = pattern(
      `a valid label key ${nameRule}`,
      nameFormat,
      ...nameExamples,
    );
    return [
      `${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const errors: string[] = [];
  if (second !== undefined) {
    if (first === "") errors.push("prefix part must be non-empty");
    else
      errors.push(
        ...dns1123Subdomain(first).map((text) => `prefix part ${text}`),
      );
  }
  const name = second ?? first;
  if (name === "") errors.push("name part must be non-empty");
  else errors.push(...tooLong(name, 63).map((text) => `name part ${text}`));
  if (!namePattern.test(name)) {
    errors.push(`name part ${pattern(nameRule, nameFormat, ...nameExamples)}`);
  }
  return errors;
}

/** A label's value; "" is one. */
export function labelValue(value: string): string[] {
  const errors = tooLong(value, 63);
  if (valuePattern.test(value)) return errors;
  const rule =
    "a valid label must be an empty string or consist of alphanumeric " +
    "characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [
    ...errors,
    pattern(rule, valueFormat, "MyValue", "my_value", "12345"),
  ];
}

/** A key of a ConfigMap or Secret. */
export function configMapKey(value: string): string[] {
  const errors = tooLong(value, 253);
  if (!configKeyPattern.test(value)) {
    const rule =
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    errors.push(
      pattern(rule, configKeyFormat, "key.name", "KEY_NAME", "key-name"),
    );
  }
  return [...errors, ...dotNames(value)];
}

/** An environment variable's name (relaxed, as 1.34 and later validate it). */
export function envVarName(value: string): string[] {
  if (value === "") return ["environment variable name must be non-empty"];
  if (/^[ -<>-~]+$/.test(value)) return [];
  return [
    "a valid environment variable name must consist only of printable ASCII " +
      "characters other than '='",
  ];
}

/** An environment variable's name as the stricter rule had it. */
export function strictEnvVarName(value: string): string[] {
  const rule =
    "a valid environment variable name must consist of alphabetic characters, " +
    "digits, '_', '-', or '.', and must not start with a digit";
  const examples = ["my.env-name", "MY_ENV.NAME", "MyEnvName1"];
  const errors = envNamePattern.test(value)
    ? []
    : [pattern(rule, envNameFormat, ...examples)];
  return [...errors, ...dotNames(value)];
}

/** A port's number. */
export function portNumber(port: number): string[] {
  return port >= 1 && port <= 65535
    ? []
    : ["must be between 1 and 65535, inclusive"];
}

/** A port's name (an IANA service name). */
export function portName(value: string): string[] {
  const errors = tooLong(value, 15);
  if (!/^[-a-z0-9]+$/.test(value)) {
    errors.push(
      "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
    );
  }
  if (!/[a-z]/.test(value))
    errors.push("must contain at least one letter (a-z)");
  if (value.includes("--")) errors.push("must not contain consecutive hyphens");
  if (value.startsWith("-") || value.endsWith("-")) {
    errors.push("must not begin or end with a hyphen");
  }
  return errors;
}

/** What a name must pass that stands in a URL's path. */
export function pathSegmentName(value: string): string[] {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  return ["/", "%"]
    .filter((part) => value.includes(part))
    .map((part) => `may not contain '${part}'`);
}

const pathFormat = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** "example.com/name", as controllers are called: what is wrong, with what. */
export function domainPrefixedPath(value: string): [string, string][] {
  const slash = value.indexOf("/");
  const [host, path] = [value.slice(0, slash), value.slice(slash + 1)];
  if (slash < 1 || path === "") {
    return [[value, 'must be a domain-prefixed path (such as "acme.io/foo")']];
  }
  const errors = dns1123Subdomain(host).map((text): [string, string] => [
    host,
    text,
  ]);
  if (whole(pathFormat).test(path)) return errors;
  return [...errors, [path, pattern("Invalid path", pathFormat)]];
}

function dotNames(value: string): string[] {
  if (value === ".") return ["must not be '.'"];
  if (value === "..") return ["must not be '..'"];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}

function tooLong(value: string, bytesMax: number): string[] {
  const within = value.length * 3 <= bytesMax || utf8Length(value) <= bytesMax;
  return within ? [] : [`must be no more than ${bytesMax} bytes`];
}

/** How many bytes the text has. */
export function utf8Length(value: string): number {
  return ascii.test(value) ? value.length : encoder.encode(value).length;
}

const ascii = /^[ -~]*$/;

function pattern(rule: string, format: string, ...examples: string[]): string {
  const last = `regex used for validation is '${format}')`;
  if (examples.length === 0) return `${rule} (${last}`;
  const listed = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${listed}${last}`;
}

/** Matches the whole text; what its groups match is asked for by nobody. */
function whole(format: string): RegExp {
  return new RegExp(`^(?:${format.replaceAll("(", "(?:")})$`);
}
