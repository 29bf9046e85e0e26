export { selectMoving as movingBroadcasts } from "./broadcast-store.ts";
