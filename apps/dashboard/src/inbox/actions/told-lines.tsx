import { Button } from "react-aria-components";
import { ApiError } from "../../api/api-error.ts";
import { failureText } from "../../kit/use-call.ts";
import { t } from "../../text/t.ts";
import { useInbox, useTold } from "../../desk/use-inbox.ts";

/** Why a change was not made: there is no connection, the role does not allow it. */
function whyNot(error: unknown): string {
  const known =
    error instanceof ApiError ? error : new ApiError({ code: "INTERNAL", cause: error });
  return `${t("inbox.told.failed")} ${failureText(known)}`;
}

/** The last change, with the button that undoes it. */
export function ToldLines() {
  const { told } = useInbox();
  // One at a time: with two Undo buttons it would not be clear which change each undoes.
  const lines = useTold().slice(-1);
  return (
    <div className="told-lines">
      {lines.map(({ id, what, count, error, undo }) => (
        <div key={id} className="told-line" role={error === undefined ? "status" : "alert"}>
          <span>{error === undefined ? t(`inbox.told.${what}`, { count }) : whyNot(error)}</span>
          {undo && (
            <Button
              onPress={() => {
                told.drop(id);
                undo();
              }}
            >
              {t("inbox.undo")}
            </Button>
          )}
          <Button aria-label={t("inbox.dismiss")} onPress={() => told.drop(id)}>
            ×
          </Button>
        </div>
      ))}
    </div>
  );
}
