/** A page while what it shows is still read. A file of its own: the frame shows it in the first load. */
export const PageLate = () => (
  <main id="main" className="page" aria-busy="true">
    <div className="page-head" />
  </main>
);
