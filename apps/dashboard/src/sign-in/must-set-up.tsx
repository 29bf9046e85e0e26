import { useQuery } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { ProveAgain } from "../shell/prove-again.tsx";
import { SetUpTwoFactor } from "../settings/set-up-two-factor.tsx";
import { t } from "../text/t.ts";
import { Entry } from "./entry.tsx";
import { enter } from "../api/entered.ts";

/** `/two-factor`: the one page of a member whose workspace requires two-factor, until it is set up. */
export function MustSetUp() {
  const me = useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => call("readSignedIn", { signal }),
  });
  return (
    <Entry title={t("security.setUp.title")} intro={t("security.setUp.text")}>
      {me.data && <SetUpTwoFactor email={me.data.member.email} done={() => enter("/inbox/mine")} />}
      <Button onPress={() => void call("signOut").then(() => enter("/sign-in"))}>
        {t("shell.signOut")}
      </Button>
      <ProveAgain />
    </Entry>
  );
}
