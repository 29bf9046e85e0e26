/** What measures inside a page, where nothing else is between an act and the frame that shows it. */
export const IN_PAGE = `window.bench = (() => {
  let largest = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) largest = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });

  const frame = () => new Promise((done) => requestAnimationFrame((at) => done(at)));
  /** After the frame that is being drawn. */
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done();
    port2.postMessage(0);
  }));
  /** Acts, and gives the milliseconds until the frame in which \`isThere\` was true was drawn. */
  const until = async (act, isThere) => {
    const begun = performance.now();
    const there = new Promise((done, fail) => {
      const look = () => {
        if (!isThere()) return;
        watch.disconnect();
        clearTimeout(late);
        done();
      };
      const watch = new MutationObserver(look);
      watch.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
      const late = setTimeout(() => { watch.disconnect(); fail(new Error("it did not come: " + isThere)); }, 20000);
      queueMicrotask(look);
    });
    act();
    await there;
    await painted();
    return performance.now() - begun;
  };
  const press = (key, code) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true }));
  // This is asked at every change of the page, and its cost counts as the page's. The browser keeps this collection up to
  // date by itself, so it costs nothing to ask.
  const articles = document.getElementsByTagName("article");
  const isList = () => document.querySelector(".list-rows .row, .list-empty") !== null;
  const opened = () => location.pathname.split("/")[3];
  const isThread = (id) => opened() === id && articles.length > 0 && articles[0].closest("[role=log]") !== null
    && document.querySelector(".row[data-open] a")?.getAttribute("href").includes(id);
  const keys = [];
  return {
    keys,
    lcp: () => largest,
    view: (name) => until(
      () => document.querySelector('nav a[href^="/inbox/' + name + '"]').click(),
      () => location.pathname.startsWith("/inbox/" + name) && isList()
        && document.querySelector('nav a[href^="/inbox/' + name + '"]').getAttribute("aria-current") === "page"),
    next: () => {
      const before = opened();
      return until(() => press("j", "KeyJ"), () => opened() !== before && isThread(opened()));
    },
    thread: (id) => until(
      () => document.querySelector('.row a[href*="' + id + '"]').click(), () => isThread(id)),
    watchKeys: () => {
      document.addEventListener("keydown", (event) => {
        void painted().then(() => keys.push(performance.now() - event.timeStamp));
      }, true);
    },
    /** Scrolls three seconds long by so many pixels a frame. */
    scroll: async (selector, by, row) => {
      const pane = document.querySelector(selector);
      const frames = [];
      let most = 0;
      let last = await frame();
      const end = last + 3000;
      while (last < end) {
        pane.scrollTop += by;
        const now = await frame();
        frames.push(now - last);
        last = now;
        most = Math.max(most, document.querySelectorAll(row).length);
      }
      return { frames, most };
    },
  };
})();`;
