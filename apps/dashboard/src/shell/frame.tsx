import { Outlet } from "@tanstack/react-router";

/** What stands around every page for members. */
export function Frame() {
  return <Outlet />;
}
