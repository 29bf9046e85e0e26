import { RESULTS_FIELDS, type ResultsFilter } from "../api/shapes.ts";

/** The work of bots behind a number of their results, as the address names it. Other names of the address mean something else. */
export function resultsIn(given: object): ResultsFilter {
  const named = new Map<string, unknown>(Object.entries(given));
  return Object.fromEntries(
    RESULTS_FIELDS.flatMap((name) => {
      const value = named.get(name);
      return typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [];
    }),
  );
}
