import { lazy } from "react";
import { useNavigate } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { Icon } from "../../kit/icon.tsx";
import { OnDemand } from "../../kit/on-demand.tsx";
import { openCommandMenu } from "../../shell/open-command-menu.ts";
import { Notices } from "../../shell/notices.tsx";
import { openPages } from "../../shell/pages-sheet.ts";
import { t } from "../../text/t.ts";
import type { ListKey } from "../../desk/store/listing.ts";
import { useBootstrap, useCounts } from "../../desk/use-inbox.ts";
import { filterOf, openView } from "../../desk/open-view.ts";
import { countWord } from "../../kit/words.ts";

const FilterMenu = lazy(async () => ({ default: (await import("./list-menus.tsx")).FilterMenu }));
const SortMenu = lazy(async () => ({ default: (await import("./list-menus.tsx")).SortMenu }));

/** The head of the list: the view's name and count, filter and order; on a phone also views, search and bell. */
export function ListHead({ listKey, name }: { listKey: ListKey; name: string }) {
  const navigate = useNavigate();
  const count = useCounts()[listKey.view];
  const go = (unread: boolean, order: ListKey["order"]) =>
    void navigate({ to: ".", search: searchOf({ ...listKey, unread, order }) });
  const { views, member } = useBootstrap();
  const view = views.find(({ id }) => `view-${id}` === listKey.view);
  const own = view && (!view.shared || member.role !== "agent") ? view : undefined;
  const choose = (key: string): void => {
    if (key === "save")
      openView({ kind: "form", filter: filterOf(listKey.view, listKey.unread, views) });
    else if (key === "change" && own) openView({ kind: "form", view: own });
    else if (key === "remove" && own) openView({ kind: "delete", view: own });
    else go(key === "unread", listKey.order);
  };
  return (
    <header className="list-head">
      <div className="list-title">
        <h1>
          <span className="list-name" dir="auto">
            {name}
          </span>
          {/* On a phone the title leads to the other views. */}
          <Button className="list-switch" aria-haspopup="dialog" onPress={openPages}>
            <span className="list-name" dir="auto">
              {name}
            </span>
            <Icon name="chevron-down" />
          </Button>
        </h1>
        {count !== undefined && <bdi className="list-count">{countWord(count)}</bdi>}
      </div>
      <OnDemand
        has="menu"
        button={(trigger) => (
          <Button {...trigger} className="pill" data-on={listKey.unread || undefined}>
            <Icon name="list-filter" />
            <span className="pill-word">{t("inbox.filter")}</span>
          </Button>
        )}
      >
        {(floating) => (
          <FilterMenu
            floating={floating}
            unread={listKey.unread}
            own={own !== undefined}
            choose={choose}
          />
        )}
      </OnDemand>
      <OnDemand
        has="menu"
        button={(trigger) => (
          <Button {...trigger} className="pill" data-on={listKey.order !== "newest" || undefined}>
            <Icon name="arrow-up-down" />
            <span className="pill-word">{t("inbox.sort")}</span>
          </Button>
        )}
      >
        {(floating) => (
          <SortMenu
            floating={floating}
            order={listKey.order}
            choose={(order) => go(listKey.unread, order)}
          />
        )}
      </OnDemand>
      {/* What the side has on a wide page. */}
      <div className="list-frame">
        <Button className="notices-button" aria-label={t("search.open")} onPress={openCommandMenu}>
          <Icon name="search" />
        </Button>
        <Notices />
      </div>
    </header>
  );
}

/** The part of the address that names a list. */
export function searchOf({ unread, order }: Pick<ListKey, "unread" | "order">): {
  readonly unread?: "1";
  readonly sort?: "oldest" | "waiting";
} {
  return { ...(unread && { unread: "1" }), ...(order !== "newest" && { sort: order }) };
}
