import { destination, pino, type DestinationStream, type Logger as PinoLogger } from "pino";
import { gatherOutages } from "./gathered-lines.ts";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
export type Logger = PinoLogger;

/**
 * Structured logs on stdout. Log ids and codes, never secrets, passcodes, message text or phone numbers: the
 * redaction here is a second wall for the names that carry them, not a licence to log them.
 */
export function createLogger(level: LogLevel): Logger {
  return pino(
    {
      level,
      hooks: { logMethod: gatherOutages() },
      base: null,
      timestamp: timeOfLine,
      redact: {
        paths: [
          "text",
          "body",
          "message.text",
          "*.text",
          "*.body",
          "*.secret",
          "*.accessToken",
          "*.authToken",
          "*.appSecret",
          "*.botToken",
          "*.secretToken",
          "*.authorization",
          "authorization",
          "secret",
          "mobile",
          "phone",
        ],
        censor: "[redacted]",
      },
    },
    inOneWrite(),
  );
}

/**
 * The same log for lines that have only known names, none of them redacted, e.g. the line of each request. Looking for
 * names that are not there took a tenth of a request's time.
 */
export function withoutRedaction(log: Logger): Logger {
  return log.child({}, { redact: [] });
}

let stamped = { at: 0, line: "" };
/** Lines of one millisecond share their time. */
function timeOfLine(): string {
  const at = Date.now();
  if (at !== stamped.at) stamped = { at, line: `,"time":"${new Date(at).toISOString()}"` };
  return stamped.line;
}

/** What waits at the most, in bytes, while stdout takes nothing; lines beyond it are lost. */
const MOST_HELD = 4_000_000;
/** So often it is looked whether a pipe that was full takes more. */
const AGAIN_MS = 100;
/** At the end of the process so many times: a second. */
const LAST_TRIES = 10;

/**
 * Stdout, the lines of one turn of the event loop in one write: a write for each line took 5.7 % of a loaded process's
 * time, where sending the answers took 8.1 % (now 0.5 %). Whatever ends the process in an orderly way, an uncaught
 * error included, is preceded by them.
 */
let shared: DestinationStream | undefined;
function inOneWrite(): DestinationStream {
  if (shared) return shared;
  // Of a pipe or socket this makes writes to a full one fail instead of wait.
  void process.stdout;
  // A wait for the reader (`npm start | less`, a collector of logs that hangs) would be one of every request.
  let tries = 0;
  const retryEAGAIN = () => tries-- > 0;
  const stdout = destination({ dest: 1, sync: true, maxLength: MOST_HELD, retryEAGAIN });
  let again: NodeJS.Timeout | undefined;
  const writeHeld = () => {
    again = undefined;
    stdout.write("");
  };
  // A file on a full disk, say: nobody can be told, and what is served goes on.
  stdout.on("error", (error) => {
    if ("code" in error && error.code === "EAGAIN")
      again ??= setTimeout(writeHeld, AGAIN_MS).unref();
  });
  let lines = "";
  const flush = () => {
    const whole = lines;
    lines = "";
    if (whole !== "") stdout.write(whole);
  };
  process.on("exit", () => {
    tries = LAST_TRIES;
    flush();
    writeHeld();
  });
  shared = {
    write(line) {
      if (lines === "") setImmediate(flush);
      lines += line;
    },
  };
  return shared;
}
