// The languages of the site; apart from site.ts, so that plain Node scripts can read it.

export const languages = ["ja", "en"] as const;
export type Lang = (typeof languages)[number];
