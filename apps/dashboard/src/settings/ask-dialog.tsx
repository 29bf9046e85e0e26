import type { ReactNode } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";

/** A dialog of the settings, named by its title. Esc and a press beside it close it. */
export function AskDialog({
  title,
  role = "dialog",
  close,
  children,
}: {
  readonly title: string;
  readonly role?: "dialog" | "alertdialog";
  readonly close: () => void;
  readonly children: ReactNode;
}) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      className="ask-overlay"
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Modal className="ask-dialog">
        <Dialog role={role}>
          <Heading slot="title">{title}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
