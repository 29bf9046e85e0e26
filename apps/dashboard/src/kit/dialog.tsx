import type { ReactNode } from "react";
import { Button, Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { t } from "../text/t.ts";
import { Failure } from "./failure.tsx";
import type { AskedCall } from "./use-call.ts";
import "./dialog.css";

/**
 * A dialog, named by its title. Esc and a press beside it close it. `submit`: it asks for texts, and Enter in one of
 * them does what its button of the type "submit" does.
 */
export function AskDialog({
  title,
  role = "dialog",
  wide = false,
  sheet = false,
  close,
  submit,
  children,
}: {
  readonly title: string;
  readonly role?: "dialog" | "alertdialog";
  readonly wide?: boolean;
  /** Is near the top, where a list that gets shorter while one types moves nothing; on a phone a sheet at its end. */
  readonly sheet?: boolean;
  readonly close: () => void;
  readonly submit?: () => void;
  readonly children: ReactNode;
}) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      className="ask-overlay"
      data-sheet={sheet || undefined}
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Modal className="ask-dialog" data-wide={wide || undefined}>
        <Dialog role={role}>
          <Heading slot="title">{title}</Heading>
          {submit === undefined ? (
            children
          ) : (
            <form
              className="ask-fields"
              onSubmit={(event) => {
                event.preventDefault();
                submit();
              }}
            >
              {children}
            </form>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/**
 * Asks before an act that cannot be undone: "Cancel", and the verb. Where the verb itself says "Cancel", in one of the
 * languages, the other button says "Keep it" (`keeps`). It stays open and says why when the call fails.
 */
export function ConfirmDialog({
  title,
  verb,
  call,
  ready = true,
  mild = false,
  keeps = false,
  close,
  children,
}: {
  readonly title: string;
  readonly verb: string;
  readonly call: AskedCall<readonly []>;
  /** Nothing is lost by it. */
  readonly mild?: boolean;
  readonly keeps?: boolean;
  /** False: the verb is disabled, for example until a name was typed. */
  readonly ready?: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}) {
  return (
    <AskDialog role="alertdialog" title={title} close={close}>
      {children}
      <Failure of={call.failed} />
      <div className="ask-buttons">
        <Button autoFocus onPress={close}>
          {t(keeps ? "kit.keep" : "kit.cancel")}
        </Button>
        <Button
          className={mild ? "primary" : "danger"}
          isDisabled={!ready}
          isPending={call.busy}
          onPress={() => call.start()}
        >
          {verb}
        </Button>
      </div>
    </AskDialog>
  );
}
