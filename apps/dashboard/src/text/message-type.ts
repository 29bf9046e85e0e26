/** The values that can fill a text. */
export type TextValue = string | number | Date;

/**
 * The names that an ICU text needs, read from its type: `Hello {name}, {count, plural, one {# message} other {#
 * messages}}` needs `name` and `count`. A brace after a plural's category opens a branch and is no name.
 */
export type NamesOf<
  T extends string,
  Names extends string = never,
> = T extends `${infer Before}{${infer After}`
  ? Before extends `${string}${Branch} `
    ? NamesOf<After, Names>
    : NamesOf<After, Names | FirstWord<After>>
  : Names;
type Branch = "zero" | "one" | "two" | "few" | "many" | "other" | `=${number}`;
type FirstWord<T extends string> = T extends `${infer Inside}}${string}`
  ? Inside extends `${infer Name},${string}`
    ? Name
    : Inside
  : never;

/** `t(key)` for a text without values, `t(key, values)` for all others. */
export type ValuesOf<T extends string> = [NamesOf<T>] extends [never]
  ? []
  : [values: { readonly [K in NamesOf<T>]: TextValue }];
