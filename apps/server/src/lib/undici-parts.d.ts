// The two parts of undici that we use, by their files: its index loads fetch, the mocks and the caches too, which takes
// a start another tenth of a second.
declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";

  export default Pool;
}
declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici";

  export default buildConnector;
}
