import { expect, it } from "vitest";
import { quote } from "../../../sim/src/api/go-text.ts";

it("quotes a text as Go does: what cannot be printed is escaped, all else stands", () => {
  expect(quote('a "b" \\ c')).toBe('"a \\"b\\" \\\\ c"');
  expect(quote("\u0000\u007f\n\v\u0085")).toBe('"\\x00\\x7f\\n\\v\\u0085"');
  // No-break space, soft hyphen, zero width space, line separator, private use.
  expect(quote("\u00a0\u00ad\u200b\u2028\ue000")).toBe('"\\u00a0\\u00ad\\u200b\\u2028\\ue000"');
  expect(quote("\u{e0001}")).toBe('"\\U000e0001"');
  expect(quote("é日本😀e\u0301½€")).toBe('"é日本😀e\u0301½€"');
});
