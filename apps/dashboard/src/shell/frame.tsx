import { Outlet } from "@tanstack/react-router";
import { CommandMenu } from "../search/command-menu.tsx";

/** What stands around every page for members. */
export function Frame() {
  return (
    <>
      <Outlet />
      <CommandMenu />
    </>
  );
}
