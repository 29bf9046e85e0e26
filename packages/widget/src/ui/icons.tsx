import type { ComponentChildren } from "preact";

function Icon({ children, flip }: { children: ComponentChildren; flip?: boolean }) {
  return (
    <svg
      class={flip ? "icon flip" : "icon"}
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const ChatIcon = () => (
  <Icon flip>
    <path d="M12 3.5c5 0 9 3.4 9 7.8s-4 7.8-9 7.8c-1 0-2-.1-2.9-.4L4.5 20.5l1.2-3.4C4 15.7 3 13.6 3 11.3 3 6.9 7 3.5 12 3.5Z" />
    <path d="M8.2 11.3h.01M12 11.3h.01M15.8 11.3h.01" stroke-width="2.4" />
  </Icon>
);
export const DownIcon = () => (
  <Icon>
    <path d="m6 9.5 6 6 6-6" stroke-width="2.2" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
);
export const SendIcon = () => (
  <Icon flip>
    <path d="M4.5 12 3.5 4.5 21 12 3.5 19.5 4.5 12Zm0 0h7" />
  </Icon>
);
export const ClipIcon = () => (
  <Icon>
    <path d="m20 11.5-7.8 7.8a5 5 0 0 1-7-7l8.1-8.2a3.3 3.3 0 0 1 4.7 4.7l-8.1 8.1a1.7 1.7 0 0 1-2.4-2.3l7.5-7.5" />
  </Icon>
);
export const FileIcon = () => (
  <Icon>
    <path d="M13.5 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8.5L13.5 3Z" />
    <path d="M13.5 3v5.5H19" />
  </Icon>
);
