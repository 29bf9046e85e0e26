// Ends with 0 when the server of this machine can serve (`/readyz`), for the health check of a container: an image without
// curl has Node. Says why on stderr otherwise.
const port = process.env.PORT || "3000";
try {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) });
  if (!answer.ok) throw new Error(await answer.text());
} catch (error) {
  console.error(`not ready: ${error.cause?.message ?? error.message}`);
  process.exit(1);
}
