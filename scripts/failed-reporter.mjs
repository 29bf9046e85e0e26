// A reporter of Node's test runner that keeps only what failed: a line of JSON a test. npm test prints them under its
// summary, because of a long run people often have the end alone.

/** Yields `{ file, test, error }` for each test that failed itself, not for the suites around it. */
export default async function* failed(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail") continue;
    const { error } = data.details;
    if (error.failureType === "subtestsFailed") continue;
    const cause = error.cause?.message ?? error.cause ?? error.message;
    yield `${JSON.stringify({ file: data.file ?? "", test: data.name, error: String(cause) })}\n`;
  }
}
