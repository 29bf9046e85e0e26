import type { ReactNode } from "react";
import { ApiError } from "../api/api-error.ts";
import { t } from "../text/t.ts";
import { failureText } from "./use-call.ts";
import "./page.css";

/**
 * The text for a failed call: what happened, what to do, and the request's id for the log. Nothing while `of` is
 * null.
 */
export function Failure({
  of: cause,
  text,
  children,
}: {
  readonly of: Error | null;
  /** Replaces the usual words of the code. */
  readonly text?: string;
  /** What helps: a button, a link. */
  readonly children?: ReactNode;
}) {
  if (cause === null) return null;
  const error = cause instanceof ApiError ? cause : new ApiError({ code: "INTERNAL", cause });
  return (
    <div role="alert" className="failure">
      <p>{text ?? failureText(error)}</p>
      {error.code === "VALIDATION_FAILED" && error.details.length > 0 && (
        <ul>
          {error.details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path !== "" && <bdi dir="ltr">{path}</bdi>} {message}
            </li>
          ))}
        </ul>
      )}
      {error.requestId !== null && <small>{t("kit.requestId", { id: error.requestId })}</small>}
      {children}
    </div>
  );
}
