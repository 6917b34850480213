// Takes out of a Go program the functions that it never runs: tracing, profiling and the printing of stacks, which the linker keeps because the scheduler and the
// collector mention them, and whatever only these mention. A tenth of the code. Needs the names of functions (a file linked without -s), and takes them out too.
//
// What is taken out keeps its place and its number. A function that is never called traps; one that is called but only prints or checks returns at once.

/** Never called, and why. Methods follow their type: runtime.(*profBuf).read is "runtime.profBuf.read" here. */
const TRAPS = [
  /^runtime\.traceLocker\.(?!ok$)/, // asked only if ok(): if a trace is being taken, which only package runtime/trace starts
  /^runtime\.(traceAdvance|traceAdvance\.func\d+|traceAcquireEnabled|traceReader|traceReaderAvailable)$/, // the same: guarded by traceEnabled() or traceShuttingDown()
  /^runtime\.(traceStack|traceMap\.\w+|traceRegionAlloc\.\w+|traceWriter\.\w+|traceStringTable\.\w+|traceStackTable\.\w+)$/, // what only those above call
  /^runtime\.hexdumper\./, // what only functions below that return at once call
  /^github_com_hack_pad_safejs_internal_stackerr\.(stackError\.Format|stacktrace\.String)$/, // stacks in errors, which the small fmt does not print
  /^runtime\.profBuf\./, // a CPU profile's
  /^runtime\.(tryRecordGoroutineProfile|tryRecordGoroutineProfileWB)$/, // guarded by goroutineProfile.active: package pprof again
  /^runtime\.synctestBubble\./, // of goroutines in a bubble of package testing/synctest
  /^runtime\.(cgocall|cgocallbackg|cgocallbackg1|callCgoSymbolizer|cgoContextPCs|printCgoTraceback|oneNewExtraM)$/, // there is no cgo
  /^runtime\.mspan\.setUserArenaChunkToFault$/, // of package arena
  /^crypto_internal_fips140\w*\.init\.\d+\.func\d+$/, // self-tests of FIPS 140-3 mode, which GODEBUG turns on and which is not heard (below)
  /^crypto_internal_fips140_drbg\.(NewCounter|Counter\.\w+|getEntropy|init\.func1|Read\.func1)$/, // that mode's generator: without, drbg.Read asks the system
  /^time\.Time\.(String|GoString|Format|AppendFormat|appendFormat|appendFormatRFC3339|AppendBinary|Marshal\w+|Unmarshal\w+)$/, // nobody prints a time but the ledger, which spells it itself
  /^crypto_internal_fips140_sha256\.Digest\.(AppendBinary|MarshalBinary|UnmarshalBinary)$/, // nobody saves a hash half-way
  /^internal_strconv\.dboxFtoa32$/, // nobody prints a float32
  /^runtime\.mspan\.reportZombies$/, // memory is corrupt: it prints some of it and ends the program
  /^time\.tz/, // rules of time zones, of which a browser gives none but the offset
  /^internal_bisect\./, // of settings that GODEBUG gives with a #, which is not heard (below)
];

/** Called, and of no use where nobody reads what they print. None has a result. */
const RETURNS = [
  /^runtime\.(traceback|traceback1|tracebackothers|tracebacksomeothers|goroutineheader)$/, // the stacks after "panic: …" or "fatal error: …", which are still printed
  /^runtime\.(printanycustomtype|printcomplex64|printcomplex128|printfloat32)$/, // the value of a panic that is of none of the usual types
  /^runtime\.(gcDumpObject|tracebackHexdump|hexdumpWords)$/, // memory, after "found bad pointer" and the like
  /^runtime\.(schedtrace|printScavTrace|checkFinalizersAndCleanups|dumpScanStats|parsegodebug)$/, // what GODEBUG asks for, which is not heard
  /^internal_cpu\.processOptions$/, // the same
  /^crypto_internal_fips140\.CAST$/, // runs self-tests in FIPS 140-3 mode
  /^crypto_internal_fips140_check\.init\.0$/, // checks the program's own sum in that mode
  /^internal_godebug\.update$/, // the same, for the standard library: its settings stay as this version of Go has them
  /^internal_godebug\.registerMetric$/, // counts for package runtime/metrics, which nobody reads
  /^runtime\.(check|testAtomic64|moduledataverify1)$/, // tests of the compiler, and of the tables that the linker wrote
  /^runtime\.(profilealloc|saveblockevent)$/, // samples for profiles, which only package pprof reads
  /^log\.Println$/, // go-indexeddb: that it closes a connection, of which the store learns by itself, and why a request fails, which it does then
  /^runtime\.typelinksinit$/, // merges the types of several modules; a WebAssembly program is one
];

/** For methods that other programs call: here trees are read and written. */
const JSON_WHOLE = /^encoding_json\./;

/**
 * Packages that make the values of their types themselves. Where nothing that can be run mentions a function of theirs, none of these values is ever made, and none
 * of their methods is called: one goes as a whole but for what sets it up, or stays as a whole.
 */
const WHOLE = [
  /^crypto_internal_fips140_aes(_gcm)?\./, // for the generator of FIPS 140-3 mode
  /^crypto_internal_fips140_drbg\.(?!Read)/, // that generator
  /^crypto_internal_fips140_(hmac|sha3|sha512)\./, // linked for that mode's self-tests, and because hmac asks whether it was given one of the others
  /^reflect\.(?!typedmemmove$)/, // linked for what reads and writes values of any kind, which nothing here does; that one is the runtime's
  /^log\./, // printed with only where a function below does so
  JSON_WHOLE,
];
/** Those whose setting up is of use to themselves alone: it goes with them. */
const SET_UP_THEMSELVES = [JSON_WHOLE];
const SETS_UP = /\.init(\.\d+)?$/;

/** A name of a package and a name of its own: a function, not a method. Or a function within one. */
const NO_METHOD = /^[^.]+\.[^.]+$|\.(func|gowrap|deferwrap)\d+(\.\d+)*$/;

/** What only these programs contain, so that a list for another runtime is not taken for this one's. */
const NEEDED = ["runtime.traceback1", "runtime.traceAdvance", "runtime.typelinksinit"];

const TRAP = [0, 0x00, 0x0b]; // no locals; unreachable; end
// As the compiler returns: the stack pointer (global 0) goes up by the return address, and 0 says that nothing is unwinding.
const RETURN = [0, 0x23, 0, 0x41, 8, 0x6a, 0x24, 0, 0x41, 0, 0x0b];

/** Function number i of a program, imports aside, has the address FIRST + i, times 65536 (cmd/link/internal/wasm). */
const FIRST = 0x1000;

/**
 * @param {{code: {bodies: Uint8Array[], imports: number, exported: number[]}, names: Map<number, string>, data: {address: number, bytes: Uint8Array}[]}} program
 *   names by number, imports counted; data: initial memory without the table of functions, which mentions all
 * @returns {Map<number, number[]>} new bodies, by place in bodies
 */
export function stubs({ code: { bodies, imports, exported }, names, data }) {
  const replaced = new Map();
  const found = new Set();
  for (let i = 0; i < bodies.length; i++) {
    const name = plain(names.get(imports + i) ?? "");
    found.add(name);
    if (TRAPS.some((rule) => rule.test(name))) replaced.set(i, TRAP);
    if (RETURNS.some((rule) => rule.test(name))) replaced.set(i, RETURN);
  }
  const missing = NEEDED.filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`${missing.join(" and ")}: not in this program, whose runtime is another; see scripts/stub-wasm.mjs`);
  const program = { bodies, imports, exported, data, replaced, named: (i) => plain(names.get(imports + i) ?? "") };
  for (let gone = WHOLE; ; ) {
    const out = new Map(replaced);
    const idle = SET_UP_THEMSELVES.filter((rule) => gone.includes(rule));
    for (let i = 0; i < bodies.length; i++) {
      const name = program.named(i);
      if (SETS_UP.test(name) && idle.some((rule) => rule.test(name))) out.set(i, RETURN);
    }
    const trial = { ...program, replaced: out };
    const live = reached(trial, gone);
    const used = gone.filter((rule) => isUsed(trial, live, rule));
    gone = gone.filter((rule) => !used.includes(rule));
    if (used.length > 0) continue;
    for (let i = 0; i < bodies.length; i++) {
      if (!live.has(i)) out.set(i, TRAP);
    }
    return out;
  }
}

/** Whether a live function outside a package mentions one that the package would have to have run. */
function isUsed({ bodies, imports, replaced, named }, live, rule) {
  for (const i of live) {
    if (replaced.has(i) || rule.test(named(i))) continue;
    let found = false;
    const look = (j) => {
      if (j >= 0 && j < bodies.length && !replaced.has(j) && rule.test(named(j))) found = true;
    };
    mentioned(bodies[i], (number) => look(number - imports), (address) => look(placeOf(address)));
    if (found) return true;
  }
  return false;
}

/** The place of the function that a constant is the address of; -1 for any other constant: within a function an address only says where in its own code to go on. */
function placeOf(address) {
  return address % 65536 === 0 ? address / 65536 - FIRST : -1;
}

/** "runtime.__profBuf_.read", as Go writes names into WebAssembly, becomes "runtime.profBuf.read". */
function plain(name) {
  return name.replace(/\.__(\w+)_\./, ".$1.");
}

/** The places of functions that can be run: called from one that can, or addressed by its code or anywhere in data, save functions of the packages that are gone. */
function reached({ bodies, imports, exported, data, replaced, named }, gone) {
  const live = new Set();
  const todo = [];
  const reach = (i) => {
    if (i < 0 || i >= bodies.length || live.has(i)) return;
    live.add(i);
    todo.push(i);
  };
  const fromData = (i) => {
    if (i < 0 || i >= bodies.length || live.has(i)) return;
    const name = named(i);
    if (SETS_UP.test(name) || !gone.some((rule) => rule.test(name))) reach(i);
  };
  exported.forEach((number) => reach(number - imports));
  for (const { address, bytes } of data) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // Function values are addresses of eight bytes, on a boundary of four at least; methods of types are numbers of four. Other data now and then looks like either.
    for (let at = -address & 3; at + 4 <= bytes.length; at += 4) {
      const word = view.getUint32(at, true);
      if (word >= FIRST && word < FIRST + bodies.length && !NO_METHOD.test(named(word - FIRST))) fromData(word - FIRST);
      if ((word & 0xffff) === 0 && (at + 8 > bytes.length || view.getUint32(at + 4, true) === 0)) fromData((word >>> 16) - FIRST);
    }
  }
  while (todo.length > 0) {
    const i = todo.pop();
    if (!replaced.has(i)) mentioned(bodies[i], (number) => reach(number - imports), (address) => reach(placeOf(address)));
  }
  return live;
}

/** Goes through a function's instructions and tells of calls and of constants. */
function mentioned(body, call, constant) {
  let at = 0;
  const leb = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = body[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  for (let groups = leb(); groups > 0; groups--) {
    leb();
    at++;
  }
  while (at < body.length) {
    const op = body[at++];
    if (op === 0x10) call(leb());
    else if (op === 0x41 || op === 0x42) constant(leb()); // a negative number is no address, and reads as one far too large
    else if (op === 0x02 || op === 0x03 || op === 0x04) at++; // block, loop, if: Go's have no type or a plain one
    else if (op === 0x0c || op === 0x0d || (op >= 0x20 && op <= 0x24)) leb(); // branches; locals and globals
    else if (op === 0x0e) for (let n = leb(); n >= 0; n--) leb(); // a table of branches, and its default
    else if (op === 0x11 || (op >= 0x28 && op <= 0x3e)) { leb(); leb(); } // calls by address; loads and stores
    else if (op === 0x3f || op === 0x40) at++; // memory's size
    else if (op === 0x43) at += 4;
    else if (op === 0x44) at += 8;
    else if (op === 0xfc) {
      const more = leb();
      if (more === 10) at += 2; // memory.copy
      else if (more === 11) at++; // memory.fill
      else if (more > 7) throw new Error(`instruction 0xfc ${more} is not known`);
    } else if (!(op <= 0x01 || op === 0x05 || op === 0x0b || op === 0x0f || op === 0x1a || op === 0x1b || (op >= 0x45 && op <= 0xc4))) {
      throw new Error(`instruction 0x${op.toString(16)} is not known`);
    }
  }
}
