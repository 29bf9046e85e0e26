import { lazy, Suspense, useEffect, useState } from "react";
import { withTexts } from "../text/t.ts";
import { answerProofBy } from "../api/proof.ts";

const AskPassword = lazy(() =>
  withTexts(import("./ask-password.tsx")).then((module) => ({ default: module.AskPassword })),
);

/** Shows the question for the password while a call waits for it. */
export function ProveAgain() {
  const [settle, setSettle] = useState<((given: boolean) => void) | null>(null);
  useEffect(() => {
    answerProofBy(
      () =>
        new Promise((resolve) => {
          setSettle(() => (given: boolean) => {
            setSettle(null);
            resolve(given);
          });
        }),
    );
    return () => answerProofBy(null);
  }, []);
  return (
    settle && (
      <Suspense>
        <AskPassword settle={settle} />
      </Suspense>
    )
  );
}
