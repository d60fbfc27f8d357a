//! Making the code: each function is written and compiled for itself, on as many cores as there are.

use super::emit::{self, Source};
use super::{lister, picking};
use crate::code::FuncId;
use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, Signature, types::I64};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use cranelift_module::{FuncId as CodeId, ModuleReloc};
use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// More threads than this would only wait for the longest function.
const MOST_THREADS: usize = 4;

/// What is to be written.
#[derive(Clone, Copy)]
pub(super) enum Piece {
    Function(FuncId),
    /// What draws the attributes of the only action.
    Drawing,
    /// What lists an action.
    List(usize),
}

/// The code of one function, before it lies where it is run.
pub(super) struct Made {
    pub piece: Piece,
    pub id: CodeId,
    pub alignment: u64,
    pub code: Vec<u8>,
    pub relocations: Vec<ModuleReloc>,
}

/// Makes the code of all pieces, in their order. None if one of them cannot be compiled.
pub(super) fn all(source: Source, pieces: &[(Piece, CodeId)]) -> Option<Vec<Made>> {
    // The longest first, or everybody would wait for it at the end; a list holds other functions.
    let weight = |piece| match piece {
        Piece::Function(func) => source.program.functions[func as usize].code.len(),
        Piece::Drawing | Piece::List(_) => usize::MAX,
    };
    let mut queue = pieces.to_vec();
    queue.sort_by_key(|&(piece, _)| Reverse(weight(piece)));
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut context, mut builder) = (Context::new(), FunctionBuilderContext::new());
        let mut made = Vec::new();
        while let Some(&(piece, id)) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
            made.push(one(source, piece, id, &mut context, &mut builder));
        }
        made
    };
    let n_threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS).min(pieces.len());
    let made = thread::scope(|scope| {
        // A thread that cannot be started is not needed: the others do its work.
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let helping: Vec<_> = (1..n_threads).filter_map(start).collect();
        let mut made = work();
        for thread in helping {
            made.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        made
    });
    let mut made = made.into_iter().collect::<Option<Vec<Made>>>()?;
    // Sorted, because equal programs have equal code, whoever made which function.
    made.sort_unstable_by_key(|made| made.id.as_u32());
    Some(made)
}

fn one(
    source: Source,
    piece: Piece,
    id: CodeId,
    context: &mut Context,
    builder: &mut FunctionBuilderContext,
) -> Option<Made> {
    context.clear();
    let into = &mut context.func;
    let n_args = match piece {
        Piece::Function(func) => source.program.functions[func as usize].n_args as usize,
        Piece::Drawing => 1,
        Piece::List(_) => 3,
    };
    into.signature = signature(source.isa, 2 + n_args);
    match piece {
        Piece::Function(func) => emit::function(source, func, into, builder),
        Piece::Drawing => picking::drawing(source, into, builder)?,
        Piece::List(action) => lister::function(source, action, into, builder)?,
    }
    let compiled = context.compile(source.isa, &mut ControlPlane::default());
    // Whoever plays goes on with the interpreter; whoever tests wants to know.
    debug_assert!(compiled.is_ok(), "{}: {:?}", name(source, piece), compiled.err());
    compiled.ok()?;
    let compiled = context.compiled_code()?;
    let relocations = compiled.buffer.relocs().iter();
    Some(Made {
        piece,
        id,
        alignment: u64::from(compiled.buffer.alignment),
        code: compiled.code_buffer().to_vec(),
        relocations: relocations.map(|at| ModuleReloc::from_mach_reloc(at, &context.func, id)).collect(),
    })
}

/// A function of so many words that gives one.
pub(super) fn signature(isa: &dyn TargetIsa, n_params: usize) -> Signature {
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params.extend(std::iter::repeat_n(AbiParam::new(I64), n_params));
    signature.returns.push(AbiParam::new(I64));
    signature
}

/// What a piece is called in a profile.
pub(super) fn name(source: Source, piece: Piece) -> String {
    match piece {
        Piece::Function(func) => source.program.functions[func as usize].name.to_string(),
        Piece::Drawing => "draw".into(),
        Piece::List(action) => format!("list of {}", source.program.actions[action].name),
    }
}
