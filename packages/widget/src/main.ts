import { begin } from "./begin.ts";

begin(
  document.currentScript ?? document.querySelector('script[data-channel][src*="/chat/widget.js"]'),
);
