/**
 * A catalogue in another language: exactly the keys of the English one. Only `_other` of a plural is
 * required of every language (Vietnamese has no other form), so `_one` is not part of the type.
 */
export type Translation<English> = {
  readonly [Key in keyof English as Key extends `${string}_one`
    ? never
    : Key]: English[Key] extends string ? string : Translation<English[Key]>
}
