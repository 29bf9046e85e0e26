import type { ReactNode } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { t } from "../text/t.ts";

/** The sheet with all pages, at the side of a phone's screen. */
export function TabSheet({
  close,
  children,
}: {
  readonly close: () => void;
  readonly children: ReactNode;
}) {
  return (
    <ModalOverlay
      className="side-sheet-overlay"
      isOpen
      isDismissable
      onOpenChange={(open) => !open && close()}
    >
      <Modal className="side-sheet">
        <Dialog aria-label={t("shell.more")} className="side">
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
