import { lazy } from "react";
import { Button } from "react-aria-components";
import { Icon } from "../kit/icon.tsx";
import { OnDemand } from "../kit/on-demand.tsx";
import { useBootstrap } from "../desk/use-inbox.ts";
import { t, withTexts } from "../text/t.ts";

const NoticeList = lazy(async () => ({
  default: (await withTexts(import("./notice-list.tsx"))).NoticeList,
}));

/** The member's notifications. */
export function Notices() {
  const { unreadNotices: unread } = useBootstrap();
  return (
    <OnDemand
      has="dialog"
      button={(trigger) => (
        <Button
          {...trigger}
          className="notices-button"
          aria-label={t("shell.notices.unread", { count: unread })}
          data-unread={unread > 0 || undefined}
        >
          <Icon name="bell" />
          {unread > 0 && <bdi aria-hidden="true">{unread > 99 ? "99+" : unread}</bdi>}
        </Button>
      )}
    >
      {(floating) => <NoticeList {...floating} />}
    </OnDemand>
  );
}
