// Registers all elements. A page includes it with one line:
//
//   <script type="module" src="elements.js" integrity="…" crossorigin="anonymous"></script>
//   curves.wasm lies beside it <script src="elements.classic.js"></script>
//   nothing else is needed, also from file://

export * from "./define-all.ts";
