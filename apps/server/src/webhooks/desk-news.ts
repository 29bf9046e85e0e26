export { moveDeskFollow, selectDeskNews as deskNews } from "./desk-news-store.ts";
