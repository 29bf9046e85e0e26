/** What a text may be filled with. */
export type TextValue = string | number | Date;

/**
 * The names that an ICU text asks for, read from its type: `Hello {name}, {count, plural, one {# message} other {# messages}}`
 * asks for `name` and `count`. A brace after a plural's category opens a branch and names nothing.
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

/** `t(key)` for a text that asks for nothing, `t(key, values)` for all others. */
export type ValuesOf<T extends string> = [NamesOf<T>] extends [never]
  ? []
  : [values: { readonly [K in NamesOf<T>]: TextValue }];
