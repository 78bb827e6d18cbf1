/**
 * Formats of texts that a schema may ask for. What is no format says nothing.
 * Models:     kube-openapi/pkg/validation/strfmt, apiextensions-apiserver/pkg/
 *             apiserver/validation/formats.go @ v1.36
 */
import { dns1123Label, dns1123Subdomain } from "../names.ts";
import type { JsonObject } from "../types.ts";

const uuid = (version: string, variant = "[0-9a-f]") =>
  new RegExp(
    `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`,
    "i",
  );

const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const moment =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:?\d{2})?$/;

function isDay(text: string): boolean {
  const parts = day.exec(text);
  if (!parts) return false;
  const [year, month, date] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
  ];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return date >= 1 && date <= (days[month - 1] ?? 0);
}

function isMoment(text: string): boolean {
  const [, date = "", hour, minute, second] = moment.exec(text) ?? [];
  if (!isDay(date)) return false;
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

const octet = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const ipv4 = new RegExp(`^${octet}(\\.${octet}){3}$`);

function isIpv6(text: string): boolean {
  const [head = "", tail, more] = text.split("::");
  if (more !== undefined || !/^[0-9a-fA-F:.]+$/.test(text)) return false;
  const groups = (part: string) => (part ? part.split(":") : []);
  const all = [...groups(head), ...groups(tail ?? "")];
  const last = all.at(-1) ?? "";
  const four = last.includes(".");
  if (four && !ipv4.test(last)) return false;
  const short = four ? all.slice(0, -1) : all;
  if (!short.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  const count = short.length + (four ? 2 : 0);
  return tail === undefined ? count === 8 : count < 8;
}

function isCidr(text: string): boolean {
  const slash = text.lastIndexOf("/");
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 0 || !/^\d+$/.test(bits)) return false;
  if (ipv4.test(address)) return Number(bits) <= 32;
  return isIpv6(address) && Number(bits) <= 128;
}

function isIsbn(text: string, length: 10 | 13): boolean {
  const digits = text.replace(/[\s-]/g, "");
  const form = length === 10 ? /^\d{9}[\dX]$/ : /^\d{13}$/;
  if (!form.test(digits)) return false;
  const weight = (i: number) => (length === 10 ? i + 1 : i % 2 === 0 ? 1 : 3);
  const sum = [...digits].reduce(
    (total, c, i) => total + weight(i) * (c === "X" ? 10 : Number(c)),
    0,
  );
  return sum % (length === 10 ? 11 : 10) === 0;
}

function isCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!/^\d{13,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, c, i) => {
    const twice = i % 2 === 0 ? Number(c) : Number(c) * 2;
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return sum % 10 === 0;
}

const GO_DURATION = /^[+-]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/;
/** Of each unit the last word may go on: `seconds`, `days`. */
const UNIT =
  /^(ns|us|µs|ms|s|m|h|hr|d|w|wk|(nano|micro|milli|sec|min|hour|day|week).*)$/i;

function isDuration(text: string): boolean {
  if (GO_DURATION.test(text)) return true;
  const parts = text.matchAll(/\d+\s*([A-Za-zµ]+)/g);
  return [...parts].some(([, unit = ""]) => UNIT.test(unit));
}

const hexColor = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;
const colorPart = "\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";
const rgbColor = new RegExp(
  `^rgb\\(${colorPart},${colorPart},${colorPart}\\)$`,
);
const base64 =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const host =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

const FORMATS: { readonly [name: string]: (text: string) => boolean } = {
  bsonobjectid: (text) => /^[0-9a-f]{24}$/i.test(text),
  uri: (text) => /^(\/|[A-Za-z][A-Za-z0-9+.-]*:\S)\S*$/.test(text),
  email: (text) => /^[^\s@<>()]+@[^\s@<>()]+$/.test(text),
  hostname: (text) => host.test(text) && text.length <= 255,
  ipv4: (text) => ipv4.test(text),
  ipv6: isIpv6,
  cidr: isCidr,
  mac: (text) =>
    /^([0-9a-f]{2}([:-])){5}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2}[0-9a-f]{4}$/i.test(
      text,
    ),
  uuid: (text) => uuid("[0-9a-f]").test(text),
  uuid3: (text) => uuid("3").test(text),
  uuid4: (text) => uuid("4", "[89ab]").test(text),
  uuid5: (text) => uuid("5", "[89ab]").test(text),
  isbn: (text) => isIsbn(text, 10) || isIsbn(text, 13),
  isbn10: (text) => isIsbn(text, 10),
  isbn13: (text) => isIsbn(text, 13),
  creditcard: isCard,
  ssn: (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => hexColor.test(text),
  rgbcolor: (text) => rgbColor.test(text),
  byte: (text) => text !== "" && base64.test(text),
  password: () => true,
  date: isDay,
  datetime: isMoment,
  duration: isDuration,
  k8sshortname: (text) => dns1123Label(text).length === 0,
  k8slongname: (text) => dns1123Subdomain(text).length === 0,
};

function checkOf(format: string) {
  return FORMATS[format.replaceAll("-", "")];
}

/** True if the text has the format, or nobody knows the format. */
export function hasFormat(format: string, text: string): boolean {
  return checkOf(format)?.(text) ?? true;
}

export function isFormat(format: string): boolean {
  return checkOf(format) !== undefined;
}

/** Formats that are asked for in vain. Numbers have formats of their own. */
export function unknownFormats(schema: JsonObject): string[] {
  const { format, type } = schema;
  const numeric = type === "integer" || type === "number";
  return typeof format === "string" && format && !numeric && !isFormat(format)
    ? [format]
    : [];
}
