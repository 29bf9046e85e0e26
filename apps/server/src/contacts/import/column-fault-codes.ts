/** What can be wrong with the columns of a file, as a closed list that the dashboard has words for. */
export const COLUMN_FAULTS = [
  "unknown",
  "twice",
  "name_parts",
  "missing",
  "others",
  "field",
  "quote",
] as const;
export type ColumnFaultCode = (typeof COLUMN_FAULTS)[number];
