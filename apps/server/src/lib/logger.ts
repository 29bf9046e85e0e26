import { pino, type Logger as PinoLogger } from "pino";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
export type Logger = PinoLogger;

/**
 * Structured logs on stdout. Log ids and codes, never secrets, passcodes, message text or phone numbers: the
 * redaction here is a second wall for the names that carry them, not a licence to log them.
 */
export function createLogger(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
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
        "*.authorization",
        "authorization",
        "secret",
        "mobile",
        "phone",
      ],
      censor: "[redacted]",
    },
  });
}
