import { API_TEXTS } from '#rules/api-texts'

/**
 * A catalogue in another language: exactly the keys of the English one. Only `_other` of a plural is
 * required of every language (Vietnamese has no other form), so `_one` is not part of the type.
 */
export type Translation<English> = {
  readonly [Key in keyof English as Key extends `${string}_one`
    ? never
    : Key]: English[Key] extends string ? string : Translation<English[Key]>
}

/** The texts of the server by the English text that it sends; English members need none of them. */
export function byEnglish(texts: Translation<typeof API_TEXTS>): Record<string, string> {
  const keys = Object.keys(API_TEXTS) as (keyof typeof API_TEXTS)[]
  return Object.fromEntries(keys.map((key) => [API_TEXTS[key], texts[key]]))
}
