//! Native code for functions that never stop in the middle.
//!
//! The register code is the input: what a function does in native code is what the interpreter would do with it,
//! instruction by instruction. Forms and rare instructions call back into the machine. A function that may stop for an
//! answer stays with the interpreter, and so does whatever calls it.
#![allow(unsafe_code, reason = "native code is entered by address")]

mod emit;
mod facts;
mod helpers;
mod looks;
mod operands;
mod types;

use crate::code::FuncId;
use crate::program::Program;
use crate::value::Value;
use crate::vm::{Machine, Run, Stop};
use cranelift_codegen::ir::{AbiParam, Signature, types::I64};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};

/// Not a value: the machine holds why it stopped.
pub(crate) const STOP: u64 = 12 << 48;
/// Not a value: a law refused, and the machine holds which.
pub(crate) const REFUSED: u64 = 13 << 48;
/// Not a value: the thing does not have what was asked for.
pub(crate) const MISSING: u64 = 14 << 48;

/// Functions with more arguments than this stay with the interpreter.
const MOST_ARGS: usize = 6;
/// Longer functions stay with the interpreter: nobody waits for them to be compiled.
const MOST_CODE: usize = 6_000;
/// Below this much stack, recursion goes on on a new one.
const STACK_LEFT: usize = 96 << 10;
const MORE_STACK: usize = 4 << 20;

/// The native code of a program.
pub struct Native {
    addresses: Vec<Option<usize>>,
    recurs: bool,
    module: Option<JITModule>,
    /// What the code reads by address.
    tables: Tables,
}

// The code is never changed once made, and the module is only touched to free it.
unsafe impl Send for Native {}
unsafe impl Sync for Native {}

/// Things that never change in play, laid out for native code. The addresses are part of the code.
pub(crate) struct Tables {
    /// For each direction and entity the next place as a value.
    pub steps: Vec<Box<[u64]>>,
    /// Row, column and number of each entity as values.
    pub rows: Box<[u64]>,
    pub columns: Box<[u64]>,
    pub numbers: Box<[u64]>,
}

impl Tables {
    fn of(program: &Program) -> Tables {
        let world = &program.world;
        let whole = |number: i64| Value::whole(number).unwrap_or(Value::NIL).0;
        Tables {
            steps: (0..world.directions.names.len())
                .map(|way| {
                    (0..world.entities.len() as u32)
                        .map(|from| Value::maybe(world.directions.step(way as _, from)).0)
                        .collect()
                })
                .collect(),
            rows: world.entities.iter().map(|thing| whole(i64::from(thing.row))).collect(),
            columns: world.entities.iter().map(|thing| whole(i64::from(thing.column))).collect(),
            numbers: world.entities.iter().map(|thing| Value::small(thing.number).0).collect(),
        }
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: a program is dropped when no position plays it, so none of its code is running.
            unsafe { module.free_memory() };
        }
    }
}

impl Native {
    /// Compiles whatever never stops. None where this computer is not supported.
    pub(crate) fn compile(program: &Program) -> Option<Native> {
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").ok()?;
        flags.set("use_colocated_libcalls", "false").ok()?;
        flags.set("is_pic", "false").ok()?;
        flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).ok()?;
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let facts = facts::of(program);
        let tables = Tables::of(program);
        let chosen: Vec<bool> = program
            .functions
            .iter()
            .zip(&facts)
            .map(|(function, facts)| {
                !facts.stops
                    && (1..=MOST_ARGS).contains(&(function.n_args as usize))
                    && function.code.len() <= MOST_CODE
            })
            .collect();
        // Who calls something that stays with the interpreter reaches it through a helper; a direct call needs code.
        let mut ids = Vec::new();
        for (at, function) in program.functions.iter().enumerate() {
            let id = match chosen[at] {
                true => {
                    let signature = signature(&module, function.n_args as usize);
                    Some(module.declare_function(&format!("f{at}"), Linkage::Local, &signature).ok()?)
                }
                false => None,
            };
            ids.push(id);
        }
        let mut context = module.make_context();
        let mut builder = cranelift_frontend::FunctionBuilderContext::new();
        for at in 0..program.functions.len() {
            let Some(id) = ids[at] else { continue };
            context.func.signature = signature(&module, program.functions[at].n_args as usize);
            emit::function(program, &facts, &tables, &ids, at as FuncId, &mut module, &mut context.func, &mut builder);
            module.define_function(id, &mut context).ok()?;
            module.clear_context(&mut context);
        }
        module.finalize_definitions().ok()?;
        let addresses = ids.iter().map(|id| id.map(|id| module.get_finalized_function(id) as usize)).collect();
        let recurs = facts.iter().any(|facts| facts.recurs);
        Some(Native { addresses, recurs, module: Some(module), tables })
    }

    #[inline]
    pub(crate) fn address(&self, func: FuncId) -> Option<usize> {
        self.addresses[func as usize]
    }

    /// How many functions run natively, and of how many.
    pub fn share(&self) -> (usize, usize) {
        (self.addresses.iter().flatten().count(), self.addresses.len())
    }

    /// Bytes of tables kept for the code.
    pub fn table_bytes(&self) -> usize {
        8 * (self.tables.steps.iter().map(|steps| steps.len()).sum::<usize>() + 3 * self.tables.rows.len())
    }
}

/// Machine, whether this message is the action, then the arguments.
fn signature(module: &JITModule, n_args: usize) -> Signature {
    let mut signature = module.make_signature();
    signature.params.extend(std::iter::repeat_n(AbiParam::new(I64), 2 + n_args));
    signature.returns.push(AbiParam::new(I64));
    signature
}

impl Machine {
    /// Runs native code with the arguments that lie in the registers from `base` on.
    #[inline]
    pub(crate) fn enter_native(
        &mut self,
        native: &Native,
        address: usize,
        n_args: u16,
        base: usize,
        action: bool,
    ) -> Run<Value> {
        let (top, gathered, depth) = (self.top, self.gathered.len(), self.depth);
        if native.recurs {
            let here = &top as *const usize as usize;
            let left = stacker::remaining_stack().unwrap_or(0);
            self.stack_limit = (here - left.min(here)).saturating_add(STACK_LEFT);
        }
        let mut args = [0; MOST_ARGS];
        args[..n_args as usize].copy_from_slice(&self.regs[base..base + n_args as usize]);
        let [a, b, c, d, e, f] = args;
        let machine: *mut Machine = self;
        let flag = u64::from(action);
        // SAFETY: the address is that of a function with this many arguments, compiled for this program; the code
        // reaches the machine through the pointer only, and nobody else uses it meanwhile.
        let word = unsafe {
            use std::mem::transmute as as_fn;
            match n_args {
                1 => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64) -> u64>(address)(machine, flag, a),
                2 => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64, u64) -> u64>(address)(machine, flag, a, b),
                3 => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64, u64, u64) -> u64>(address)(
                    machine, flag, a, b, c,
                ),
                4 => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64, u64, u64, u64) -> u64>(address)(
                    machine, flag, a, b, c, d,
                ),
                5 => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64, u64, u64, u64, u64) -> u64>(address)(
                    machine, flag, a, b, c, d, e,
                ),
                _ => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64, u64, u64, u64, u64, u64) -> u64>(address)(
                    machine, flag, a, b, c, d, e, f,
                ),
            }
        };
        self.top = top;
        self.depth = depth;
        match word {
            REFUSED => {
                self.gathered.truncate(gathered);
                Err(Stop::Refused { rule: self.refused.0, reason: self.refused.1 })
            }
            STOP => {
                self.gathered.truncate(gathered);
                Err(self.pending.take().expect("who stops says why"))
            }
            word => Ok(Value(word)),
        }
    }

    /// Goes on with a recursive function on a new stack.
    fn deeper(&mut self, program: &Program, func: FuncId, action: bool, args: &[u64]) -> Run<Value> {
        if self.depth >= u64::from(program.budget.depth) {
            return Err(Stop::fault("Messages or defines call each other for ever, or too deeply."));
        }
        let native = program.native().expect("this is called from native code");
        let address = native.address(func).expect("the code that called");
        let (limit, base) = (self.stack_limit, self.top);
        if self.regs.len() < base + args.len() {
            self.regs.resize(base + args.len(), 0);
        }
        self.regs[base..base + args.len()].copy_from_slice(args);
        let result = stacker::grow(MORE_STACK, || self.enter_native(native, address, args.len() as u16, base, action));
        self.stack_limit = limit;
        result
    }
}
