import { Suspense, useRef, useState, type ReactNode, type RefObject } from "react";
import type { ButtonProps } from "react-aria-components";

/** What a menu or a sheet has from its button. */
export interface Floating {
  readonly triggerRef: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** What the button has to pass on. */
type Trigger = Pick<ButtonProps, "aria-expanded" | "aria-haspopup" | "onPress"> & {
  readonly ref: RefObject<HTMLButtonElement | null>;
};

/** A button, and what floats at it: a lazy component, which is loaded when the button is first pressed. */
export function OnDemand({
  has,
  button,
  children,
}: {
  readonly has: "menu" | "dialog";
  readonly button: (trigger: Trigger) => ReactNode;
  readonly children: (floating: Floating) => ReactNode;
}) {
  const triggerRef = useRef<HTMLButtonElement>(null);
  const [isOpen, onOpenChange] = useState(false);
  const [isWanted, want] = useState(false);
  const onPress = () => {
    want(true);
    onOpenChange(true);
  };
  return (
    <>
      {button({ ref: triggerRef, "aria-haspopup": has, "aria-expanded": isOpen, onPress })}
      {isWanted && (
        <Suspense fallback={null}>{children({ triggerRef, isOpen, onOpenChange })}</Suspense>
      )}
    </>
  );
}
