import { Button } from "react-aria-components";
import { t } from "../../text/t.ts";
import { useInbox, useTold } from "../use-inbox.ts";

/** What was just changed, with the button that takes it back. */
export function ToldLines() {
  const { told } = useInbox();
  // One at a time: two buttons Undo would leave open which change each takes back.
  const lines = useTold().slice(-1);
  return (
    <div className="told-lines">
      {lines.map(({ id, what, count, error, undo }) => (
        <div key={id} className="told-line" role={error === undefined ? "status" : "alert"}>
          <span>
            {error === undefined ? t(`inbox.told.${what}`, { count }) : t("inbox.told.failed")}
          </span>
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
