export {
  moveDeskFollow,
  selectDeskNews as deskNews,
  selectThreadNews as threadNews,
} from "./desk-news-store.ts";
