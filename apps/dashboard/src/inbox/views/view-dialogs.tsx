import { lazy, Suspense, useSyncExternalStore } from "react";
import { withTexts } from "../../text/t.ts";
import { openedView, openView, subscribeOpenedView } from "../../desk/open-view.ts";

const ViewForm = lazy(async () => ({
  default: (await withTexts(import("./view-form.tsx"))).ViewForm,
}));
const DeleteView = lazy(async () => ({
  default: (await withTexts(import("./view-form.tsx"))).DeleteView,
}));

/** The dialogs of views; `openView` opens one of them. The frame contains this once. */
export function ViewDialogs() {
  const opened = useSyncExternalStore(subscribeOpenedView, openedView);
  if (opened === null) return null;
  const close = () => openView(null);
  return (
    <Suspense>
      {opened.kind === "delete" && opened.view ? (
        <DeleteView view={opened.view} close={close} />
      ) : (
        <ViewForm key={opened.view?.etag ?? "new"} opened={opened} close={close} />
      )}
    </Suspense>
  );
}
